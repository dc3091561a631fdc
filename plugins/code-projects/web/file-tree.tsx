import { NavLink } from '@mantine/core'
import { File, Folder } from 'lucide-react'

interface Tree {
  readonly folders: Map<string, Tree>
  readonly files: Map<string, string>
}
interface Shown {
  /** The path of the file that is open. */
  readonly open: string | undefined
  onOpen(path: string): void
}

/** Files below their folders. */
export const FileTree = ({ paths, ...shown }: Shown & { readonly paths: readonly string[] }) => (
  <Branch tree={treeOf(paths)} {...shown} />
)

function Branch({ tree, open, onOpen }: Shown & { readonly tree: Tree }) {
  return (
    <>
      {[...tree.folders].map(([name, inside]) => (
        <NavLink
          key={`${name}/`}
          component="button"
          type="button"
          label={name}
          leftSection={<Folder size={14} aria-hidden />}
          defaultOpened
          childrenOffset={16}
          styles={{ root: { paddingBlock: 4 } }}
        >
          <Branch tree={inside} open={open} onOpen={onOpen} />
        </NavLink>
      ))}
      {[...tree.files].map(([name, path]) => (
        <NavLink
          key={name}
          component="button"
          type="button"
          label={name}
          leftSection={<File size={14} aria-hidden />}
          active={path === open}
          aria-current={path === open ? 'true' : undefined}
          onClick={() => onOpen(path)}
          styles={{ root: { paddingBlock: 4 } }}
        />
      ))}
    </>
  )
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = { folders: new Map(), files: new Map() }
  for (const path of paths) {
    const names = path.split('/')
    const name = names.pop() as string
    let at = root
    for (const it of names) {
      const next = at.folders.get(it) ?? { folders: new Map(), files: new Map() }
      at.folders.set(it, next)
      at = next
    }
    at.files.set(name, path)
  }
  return root
}
