import { invalid } from 'agent-platform'
import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'

/** 400 at `param` for one whose checksum does not hold, and for those to which nobody means to pay: none, or one of these. */
export function recipientOf(text: string, not: readonly (string | undefined)[], param: string): Address {
  const isPlain = text === text.toLowerCase()
  if (!isAddress(text, { strict: !isPlain }))
    throw invalid(param, `${param} has a checksum that does not hold`)
  const address = getAddress(text)
  if (/^0x0{40}$/.test(address) || not.includes(address))
    throw invalid(param, `${param} must be an address that can be paid`)
  return address
}
