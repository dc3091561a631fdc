/** Whether a request asks for events as they come. */
export const follows = ({ headers }: { headers: { accept?: string | undefined } }): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '')
