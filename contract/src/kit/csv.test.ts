import { expect, test } from 'vitest'
import { escapeFormula, toCsv } from './csv.ts'

test.each(['=1+1', '+1', '-1', '@x', '|x', '\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1', '\u3000@x', '＝1+1', '＋1', '－1', '＠x', ' ＝1'])(
  '[USG-07] %j could be run by a spreadsheet, and gets an apostrophe',
  (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`)
  },
)

test.each(['', 'Köln', '1+1', 'a=b', ' blank', 'E-mail', '4G'])('[USG-07] %j stays as it is', (text) => {
  expect(escapeFormula(text)).toBe(text)
})

const COLUMNS = [
  { label: '=Site', cell: (row: { site: string; price: string }) => row.site },
  { label: 'Price', cell: (row: { site: string; price: string }) => row.price, isFigure: true },
]
const ROWS = [
  { site: 'Köln', price: '-1.50' },
  { site: '=1+1', price: '2.0000' },
  { site: 'two\nlines, "quoted"', price: '0' },
]

test('[USG-07] a file begins with a byte order mark; headings are texts too, figures are not', () => {
  expect(toCsv(COLUMNS, ROWS)).toBe(`\uFEFF'=Site,Price\nKöln,-1.50\n'=1+1,2.0000\n"two\nlines, ""quoted""",0\n`)
})
