import type { CID } from 'multiformats/cid'

/** Takes the blocks of a DAG, leaves first and the root last. */
type Put = (cid: CID, block: Uint8Array) => Promise<void> | void

/**
 * Pinned: another size of chunks, width, or form of leaves gives the same bytes another CID. They are those of the profile
 * `unixfs-v1-2025` of the IPFS specifications (IPIP-499).
 */
const CHUNK_BYTES = 1_048_576
const LINKS_PER_NODE = 1_024

/**
 * The CID (version 1, SHA-256, base32) of bytes as a UnixFS file with raw leaves in a balanced tree. A chunk at a time is in
 * memory, beside the links.
 */
export async function cidOf(source: AsyncIterable<Uint8Array>, put: Put = () => undefined): Promise<string> {
  const [{ importFile }, { fixedSize }, { balanced }] = await Promise.all([
    import('ipfs-unixfs-importer'),
    import('ipfs-unixfs-importer/chunker'),
    import('ipfs-unixfs-importer/layout')
  ])
  const store = {
    put: async (cid: CID, block: Uint8Array) => {
      await put(cid, block)
      return cid
    }
  }
  const { cid } = await importFile({ content: source }, store as never, {
    cidVersion: 1,
    rawLeaves: true,
    leafType: 'file',
    reduceSingleLeafToSelf: true,
    wrapWithDirectory: false,
    blockWriteConcurrency: 1,
    fieldOrder: 'links-first',
    chunker: fixedSize({ chunkSize: CHUNK_BYTES }),
    layout: balanced({ maxChildrenPerNode: LINKS_PER_NODE })
  })
  return cid.toString()
}
