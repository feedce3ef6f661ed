import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnsiText } from './ansi.tsx'
import { ansiParts } from './ansi-parts.ts'
import { renderMarkdown } from './markdown-tree.tsx'
import { isSafeLink } from './safe-link.ts'
import { Markdown } from '../markdown.tsx'

const html = (text: string) => render(<>{renderMarkdown(text)}</>).container.innerHTML

describe('Markdown', () => {
  test.each([
    ['**bold** and `a < b`', '<p><strong>bold</strong> and <code>a &lt; b</code></p>'],
    ['# Title', '<h3>Title</h3>'],
    ['one\ntwo', '<p>one<br>two</p>'],
    ['1. a\n2. b', '<ol start="1"><li>a</li><li>b</li></ol>'],
    ['> quoted', '<blockquote><p>quoted</p></blockquote>'],
    ['a & b &amp; c', '<p>a &amp; b &amp; c</p>'],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  test('tables, task lists and code blocks', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td align="right">2</td>')
    expect(html('- [x] done')).toContain('type="checkbox"')
    expect(html('```yaml\na: 1\n```')).toContain('<code>a: 1</code>')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '![x](javascript:alert(1))',
    '<a href="data:text/html,x">x</a>',
    '<iframe src="https://evil.example"></iframe>',
    '<svg><script>alert(1)</script></svg>',
    '<style>*{display:none}</style>',
    '<form action="/api"><input name=x></form>',
    '[x](//evil.example)',
    '[x](java\nscript:alert(1))',
    '[x](vbscript:x)',
    '[x](\\u0001javascript:alert(1))',
    '[x](/\\\\evil.example)',
    '<b onclick="alert(1)">x',
  ])('nothing of %s acts', (attack) => {
    const { container } = render(<>{renderMarkdown(`before ${attack} after\n\n${attack}`)}</>)
    expect(container.querySelectorAll('script,style,iframe,form,input,svg,object,embed,b')).toHaveLength(0)
    for (const element of container.querySelectorAll('*')) {
      expect(element.getAttributeNames().filter((name) => name.startsWith('on'))).toEqual([])
      const address = element.getAttribute('href') ?? element.getAttribute('src')
      if (address !== null) expect(isSafeLink(address)).toBe(true)
    }
  })

  test('no text makes it fail', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '*', '_', '`', '[', ']', '(', ')', '<', '>', '!', '#', '-', '|', '\n', ' ', '&'),
        }),
        (text) => void renderMarkdown(text),
      ),
    )
  })

  test('links open elsewhere and give nothing away', () => {
    expect(html('[x](https://example.com)')).toContain('rel="noopener noreferrer"')
  })

  test('the component shows it', async () => {
    render(<Markdown text="**hi**" />)
    expect((await screen.findByText('hi')).tagName).toBe('STRONG')
  })
})

describe('terminal output', () => {
  test('colours become ours, control sequences disappear', () => {
    expect(ansiParts('\u001b[31mred\u001b[0m plain \u001b[1;32mgreen\u001b[0m')).toEqual([
      { text: 'red', className: 'text-bad-text' },
      { text: ' plain ', className: '' },
      { text: 'green', className: 'text-ok-text font-semibold' },
    ])
  })

  test('markup stays text', async () => {
    const { container } = render(<AnsiText text={'\u001b[31m<b>x</b>\u001b[0m'} />)
    expect(await screen.findByText('<b>x</b>')).toBeDefined()
    expect(container.querySelector('b')).toBeNull()
  })
})
