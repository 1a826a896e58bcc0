import { expect, test } from 'vitest'
import { toFileName } from './file-name.ts'

test.each([
  ['Rechnung 2026/11 "ä"', 'Rechnung 2026_11 _ä_'],
  ['請求書 東京', '請求書 東京'],
  ['فاتورة', 'فاتورة'],
  ['Voice & Data, 4G', 'Voice & Data, 4G'],
  ['e\u0301te\u0301', 'été'],
  ['../../etc', '_.._etc'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['a\u0000b\nc', 'a_b_c'],
  ['ends. ', 'ends'],
  ['', '_'],
  ['😀'.repeat(120), '😀'.repeat(50)],
  ['a\u200bb\u00adc', 'abc'],
])('[INV-01] %j is the file name %j', (text, name) => {
  expect(toFileName(text)).toBe(name)
})
