/** What was refused or failed, as functions and pages see it: by a `code` of the platform. */
export class AppError extends Error {
  override readonly name = 'AppError'
  /** Such as `capability_not_granted`, `invalid_request_error` or `app_error`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
