import t from 'tap'
import { readSlack, writeSlack } from '../../kinds/slack-text.ts'

t.test('decodes Slack markup to text', (t) => {
  const cases: [string, string][] = [
    ['a &lt; b &amp;&amp; c &gt; d', 'a < b && c > d'],
    ['&amp;lt;', '&lt;'],
    ['<@U1> and <@U2|bob>', '@U1 and @bob'],
    ['<#C1|general> <#C2>', '#general #C2'],
    ['<!here> <!channel> <!everyone|everyone>', '@here @channel everyone'],
    ['<!subteam^S1|@cooks> <!subteam^S1>', '@cooks @S1'],
    ['<!date^1392734382^{date}|18 February>', '18 February'],
    ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
    ['<https://example.com|the page>', '[the page](https://example.com)'],
    ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
    ['<tel:+491234|+49 1234>', '[+49 1234](tel:+491234)'],
    ['plain *bold* text', 'plain *bold* text']
  ]
  for (const [given, expected] of cases) t.equal(readSlack(given), expected)
  t.end()
})

t.test('removes a leading mention of the app', (t) => {
  t.equal(readSlack('<@U0> /say hello', 'U0'), '/say hello')
  t.equal(readSlack('<@U0|app> hello <@U0>', 'U0'), 'hello @U0')
  t.equal(readSlack('<@U00> hello', 'U0'), '@U00 hello')
  t.end()
})

t.test('escapes Slack markup in answers, and keeps Markdown', (t) => {
  const cases: [string, string][] = [
    ['Tell <!channel>, <!here>, <!everyone>', 'Tell &lt;!channel&gt;, &lt;!here&gt;, &lt;!everyone&gt;'],
    ['<@U2> and <!subteam^S1>', '&lt;@U2&gt; and &lt;!subteam^S1&gt;'],
    ['&lt;!channel&gt;', '&amp;lt;!channel&amp;gt;'],
    ['**a < b**, [docs](https://example.com)', '**a &lt; b**, [docs](https://example.com)'],
    ['> quoted\n> > twice > not\na > b', '> quoted\n> > twice &gt; not\na &gt; b']
  ]
  for (const [given, expected] of cases) {
    t.equal(writeSlack(given), expected)
    t.equal(readSlack(writeSlack(given)), given, 'and is read again as it was')
  }
  t.end()
})
