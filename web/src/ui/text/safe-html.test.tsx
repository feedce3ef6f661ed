import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { htmlToText, SafeHtml } from './safe-html.tsx'

const drawn = (html: string) => render(<SafeHtml html={html} />).container

describe('[INS-11] HTML of others', () => {
  test('keeps what is text: paragraphs, lists, tables, links', () => {
    const box = drawn(
      '<h1>Risk</h1><p>Port <b>22</b> is open<br>to all</p><ul><li>one</li></ul>' +
        '<table> <tr> <td>a</td> </tr> </table><a href="https://example.test/x">more</a><pre>a\n b</pre>',
    )
    expect(box.querySelector('h3')?.textContent).toBe('Risk')
    expect(box.querySelector('h1')).toBeNull()
    expect(box.querySelector('p b')?.textContent).toBe('22')
    expect(box.querySelector('br')).toBeTruthy()
    expect(box.querySelector('li')?.textContent).toBe('one')
    expect(box.querySelector('td')?.textContent).toBe('a')
    expect(box.querySelector('pre')?.textContent).toBe('a\n b')
    const link = box.querySelector('a')!
    expect([link.getAttribute('href'), link.rel, link.target]).toEqual([
      'https://example.test/x',
      'noopener noreferrer',
      '_blank',
    ])
  })

  test.each([
    '<script>window.hit = 1</script>',
    '<img src=x onerror="window.hit = 1">',
    '<svg><script>window.hit = 1</script></svg>',
    '<p onclick="window.hit = 1" style="position:fixed" id="main" class="x">text</p>',
    '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
    '<a href="javascript:window.hit=1">x</a>',
    '<a href=" java\nscript:window.hit=1">x</a>',
    '<form action="https://evil.test"><input name="a"><button>go</button></form>',
    '<style>* { display: none }</style>',
    '<meta http-equiv="refresh" content="0;url=https://evil.test">',
    '<math><mtext><style><img src=x onerror=window.hit=1></style></mtext></math>',
    '<template><img src=x onerror=window.hit=1></template>',
  ])('takes away what acts: %s', (html) => {
    const box = drawn(`<p>stays</p>${html}`)
    expect(box.querySelector('script,img,svg,iframe,form,input,button,style,meta,math,template,object')).toBeNull()
    for (const element of box.querySelectorAll('p, a'))
      expect(element.getAttributeNames().filter((name) => name !== 'href')).toEqual([])
    for (const link of box.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^https?:/)
    expect(box.textContent).toContain('stays')
    expect((window as { hit?: number }).hit).toBeUndefined()
  })

  test('a thousand levels deep it stays text', () => {
    expect(drawn(`${'<div>'.repeat(1000)}deep${'</div>'.repeat(1000)}`).textContent).toBe('deep')
  })
})

test('as one line of text', () => {
  expect(htmlToText('<p>Port <b>22</b></p><p>is&nbsp;open</p><script>x()</script><br><br>now')).toBe(
    'Port 22 is open now',
  )
  expect(htmlToText('')).toBe('')
})
