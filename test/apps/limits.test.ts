import { callLimits, defaultLimits } from 'agent-platform-app/limits'
import t from 'tap'
import { jsonOf } from '../../apps-sdk/app/src/json.ts'
import { parseValue } from '../../plugins/sandbox/pool/values.ts'
import { SandboxSettings } from '../../plugins/sandbox/settings.ts'
import { UiPluginSettings } from '../../plugins/ui-plugins/settings.ts'

/** Of a setting. */
const usual = (schema: object) => (schema as { default?: unknown }).default

t.test('the test double of authors allows a call what the platform allows it by default', async (t) => {
  const { properties: of } = SandboxSettings
  t.same(defaultLimits, {
    cpuMs: usual(of.cpuMilliseconds),
    wallMs: usual(of.wallMilliseconds),
    memoryMb: usual(of.heapMegabytes)
  })
  const { depth, ...others } = callLimits
  t.same(others, {
    messageSize: usual(of.messageSize),
    pending: usual(of.pending),
    logLines: usual(of.logLines),
    calls: usual(UiPluginSettings.properties.maxDepth)
  })
  // Shorter ones could not be that deep, and are not looked at.
  const nested = (levels: number, inmost: string) =>
    `${'['.repeat(levels)}${inmost}${' '.repeat(2 * depth)}${']'.repeat(levels)}`
  for (const take of [parseValue, (text: string) => jsonOf(JSON.parse(text), 'it')]) {
    t.ok(take(nested(depth, '1')))
    t.ok(take(nested(depth + 1, '')), 'what is empty has nothing deeper')
    t.throws(() => take(nested(depth + 1, '1')), /nested .*levels/)
  }
})
