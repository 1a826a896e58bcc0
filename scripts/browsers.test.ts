import { expect, test } from 'vitest'
import { findNewerApis } from './browsers/find-newer-apis.ts'
import { findNewerSelectors } from './browsers/find-newer-selectors.ts'

const find = (code: string): string[] => findNewerApis('x.ts', code)

test('what is newer than the oldest browsers is found as a function, a constructor, a method, and in a pattern', () => {
  expect(find('const both: AbortSignal = AbortSignal.any([a, b])')).toEqual(['AbortSignal.any'])
  expect(find('Map.groupBy(rows, f); Object.groupBy(rows, f)')).toEqual(['.groupBy()', 'Map.groupBy', 'Object.groupBy'])
  expect(find('URL.canParse(x)')).toEqual(['.canParse()', 'URL.canParse'])
  expect(find('new CloseWatcher()')).toEqual(['CloseWatcher'])
  expect(find('new Intl.DurationFormat("en")')).toEqual(['Intl.DurationFormat'])
  expect(find('requestIdleCallback(f)')).toEqual(['requestIdleCallback'])
  expect(find('one.isSubsetOf(other)')).toEqual(['.isSubsetOf()'])
  expect(find('/[\\p{L}--[a-z]]/v')).toEqual(['/[\\p{L}--[a-z]]/v'])
})

test('what every browser of the floor has, and what is asked for first, is no finding', () => {
  expect(find('rows.toSorted(); rows.at(-1); AbortSignal.timeout(5); structuredClone(x); new ResizeObserver(f)')).toEqual([])
  expect(find('navigator.locks.request("x", f); crypto.randomUUID(); x.replaceAll("a", "b")')).toEqual([])
  expect(find('navigator.connection?.addEventListener("change", f); element.checkVisibility?.()')).toEqual([])
})

test('selectors that drop their rule are found, and values of the same name are not', () => {
  expect(findNewerSelectors('a:has(b){color:red}p::highlight(x){color:red}')).toEqual([':has', '::highlight'])
  expect(findNewerSelectors('a:hover{text-align:left;flex-direction:column}')).toEqual([])
})
