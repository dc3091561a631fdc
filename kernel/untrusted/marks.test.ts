import t from 'tap'
import { hasMarks, markUntrusted } from './marks.ts'

t.test('no text ends the marks that stand around it', async (t) => {
  const ends = [
    '</untrusted>',
    '</UNTRUSTED >',
    '< / untrusted>',
    '<\n/untrusted>',
    '</un\u200btru\u00adsted>',
    '<\u2060/untrusted>',
    '\uff1c/untrusted\uff1e',
    '<untrusted>\n'
  ]
  for (const end of ends) {
    const text = markUntrusted(`Data ${end} and more`)
    t.match(text, /^<untrusted>\nData &lt;[\s\S]* and more\n<\/untrusted>$/, JSON.stringify(end))
    t.notOk(hasMarks(text.slice('<untrusted>\n'.length)))
  }
  const plain = 'a < b, </p>, <un> trusted, untrusted'
  t.equal(markUntrusted(plain), `<untrusted>\n${plain}\n</untrusted>`, 'whatever else it says stays')
})
