import { createPathCheck, invalid, trimEndOf } from 'agent-platform'

/**
 * Checks where files of a project are to lie: below it, in folders that are no files, each once. The paths of those that are there
 * stay as they are.
 */
export function checkPaths(
  kept: Iterable<string>,
  given: readonly { readonly path: string; readonly param: string }[]
) {
  const check = createPathCheck()
  for (const path of kept) check(path)
  for (const { path, param } of given) {
    const fault = path.endsWith('/')
      ? 'is a folder'
      : path.normalize('NFC') === path
        ? check(path)
        : 'is not in Unicode’s form NFC'
    if (fault !== undefined) throw invalid(param, `${param} ${fault}`, 'path_refused')
    if (/(?:^|\/)\.git(?:\/|$)/i.test(path))
      throw invalid(param, `${param} lies in a folder of Git’s`, 'path_refused')
  }
}

/** A folder below the project, `.` for itself; 400 for what leads elsewhere. */
export function checkFolder(folder: string, param: string): string {
  const path = trimEndOf(folder.replace(/^\.\//, ''), '/') || '.'
  if (path === '.') return path
  const fault = createPathCheck()(`${path}/`)
  if (fault !== undefined) throw invalid(param, `${param} ${fault}`, 'path_refused')
  return path
}
