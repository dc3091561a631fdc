import t from 'tap'
import { readHtml } from './html.ts'

const read = (html: string) => readHtml(html, 'https://example.org/a/b').text

t.test('tags become text', async (t) => {
  for (const [html, text] of [
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '1 2\n\n3'],
    ['<h2>T</h2>x', '## T\nx'],
    ['<a href=c>rel</a> <a href="#x">here</a> <a>none</a>', 'rel (https://example.org/a/c) here none'],
    ["<A HREF='//other.example'>up</A>", 'up (https://other.example/)'],
    ['1 < 2 && 3 > 2 & <', '1 < 2 && 3 > 2 & <'],
    ['&amp;lt; &nope; &#0; &#xD800; &#1114112; &#128512;', '&lt; &nope; � � � 😀'],
    ['<SCRIPT>x</script >a<style>b</style>c<svg><text>d</text></svg>e<svg/>f', 'acef'],
    ['a<!-- b -- > c -->d<!doctype x>e<?php f ?>g', 'adeg'],
    ['<script>never ends', ''],
    ['a<!-- never ends', 'a'],
    ['a<p class="never ends', 'a'],
    ['</a></pre></nope><pre>\n a\n  b\n</pre>', 'a\n  b'],
    ['', '']
  ] as const)
    t.equal(read(html), text, html)
  t.equal(readHtml('<title> a\n b </title><title>c</title>', 'https://example.org').title, 'a b')
})

t.test('no page takes more time than its length', async (t) => {
  const most = 1_000_000
  for (const piece of [
    '<',
    '<!--',
    '<script',
    '<script>',
    '<a href="',
    '<a href=" href="',
    '&#',
    '&amp',
    '</',
    '<pre> ',
    '<p>',
    ' \n',
    '<title>',
    '<a href=x>',
    '<svg><!'
  ]) {
    // What is quadratic takes minutes, more than a test has.
    t.ok(read(piece.repeat(most / piece.length)).length <= 1.1 * most, piece)
    t.ok(read(`${piece}${' '.repeat(most)}x`).length <= most + 10, piece)
  }
})
