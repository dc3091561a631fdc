import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { encodeFunctionData, getAddress, parseAbi } from 'viem/utils'
import { bytecode } from './token.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every form
type Any = any

/** The program itself, without the script before it, so that it gets the signals. */
const program = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json')).resolve(
  `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil`
)
const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function setBlocked(address who, bool value)',
  'function balanceOf(address account) view returns (uint256)'
])

export type TestChain = Awaited<ReturnType<typeof startChain>>

/** A chain of its own, on which each transaction is in a block at once; it goes with the test. */
export async function startChain(t: Scope, ...args: string[]) {
  const child = spawn(program, ['--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(stop)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Listening on (.+)$/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
    })
    exited.then(() => reject(new Error('the chain has ended')), reject)
  })
  const ask = (method: string, params: unknown[] = []) => rpc(url, method, params)
  const [rich, merchant] = (await ask('eth_accounts')) as [Hex, Hex]
  const send = async (transaction: object): Promise<Hex> =>
    ask('eth_sendTransaction', [{ from: rich, ...transaction }])
  /** Its receipt: a block is made at once, and may take a moment all the same. */
  const mined = async (hash: Hex): Promise<Any> => {
    for (;;) {
      const receipt = await ask('eth_getTransactionReceipt', [hash])
      if (receipt) return receipt
      await delay(5)
    }
  }
  const made = await mined(await send({ data: bytecode }))
  const token = made.contractAddress as Hex
  const callToken = (data: Hex, fields: object = {}) => send({ to: token, data, ...fields })

  return {
    url,
    ask,
    mined,
    stop,
    /** It answers no more until it is let go on. */
    pause: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    token,
    /** Has nothing of the stablecoin. */
    merchant: getAddress(merchant),
    network: {
      id: 'anvil',
      chainId: 31_337,
      rpcUrl: url,
      stablecoin: {
        address: getAddress(token),
        symbol: 'TUSD',
        decimals: 6,
        name: 'Test Dollar',
        version: '2'
      },
      confirmations: 1,
      pollSeconds: 1
    },
    give: async (to: string, wei: bigint) => mined(await send({ to, value: `0x${wei.toString(16)}` })),
    mint: async (to: string, units: bigint) =>
      mined(await callToken(encodeFunctionData({ abi, functionName: 'mint', args: [to as Hex, units] }))),
    /** With a fee that brings it to the front of its block. */
    block: (who: string, isBlocked: boolean) =>
      callToken(encodeFunctionData({ abi, functionName: 'setBlocked', args: [who as Hex, isBlocked] }), {
        maxFeePerGas: '0x174876e800',
        maxPriorityFeePerGas: '0x174876e800'
      }),
    async tokens(of: string): Promise<bigint> {
      const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [of as Hex] })
      return BigInt(await ask('eth_call', [{ to: token, data }, 'latest']))
    },
    coins: async (of: string): Promise<bigint> => BigInt(await ask('eth_getBalance', [of, 'latest']))
  }
}

async function rpc(url: string, method: string, params: unknown[]): Promise<Any> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  const { result, error } = (await reply.json()) as Any
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
