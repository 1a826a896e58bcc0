import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connectionErrorText, fileErrorText, listenErrorText, makeFolder, readErrorText, writeErrorText } from './system-errors.ts'

const home = mkdtempSync(join(tmpdir(), 'counterfoil-folders-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const reasonOf = (folder: string): string | undefined => {
  try {
    makeFolder(folder)
    return 'made'
  } catch (error) {
    return fileErrorText(error)
  }
}

test('[OPS-03] a folder is made with those above it, for this user alone, and again without harm', () => {
  const folder = join(home, 'one', 'two', 'three')
  expect([reasonOf(folder), reasonOf(folder)]).toEqual(['made', 'made'])
  expect(statSync(join(home, 'one')).mode & 0o777).toBe(0o700)
})

test('[OPS-03] a folder that cannot be made is explained in words, and at once', () => {
  writeFileSync(join(home, 'file'), '')
  expect(reasonOf(join(home, 'file'))).toBe('it is not a folder')
  expect(reasonOf(join(home, 'file', 'below'))).toBe('it is not a folder')
  expect(reasonOf('/proc/counterfoil/data')).toMatch(/no folder can be made there|may not write/)
})

test('[OPS-03] a link to nowhere is no folder', () => {
  symlinkSync(join(home, 'nowhere'), join(home, 'link'))
  expect(() => makeFolder(join(home, 'link'))).toThrow('EEXIST')
})

test('[OPS-03] what cannot be read or listened at is explained in words; an error without words keeps its code', () => {
  expect(readErrorText({ code: 'EACCES' })).toBe('this user may not read it')
  expect(readErrorText({ code: 'EISDIR' })).toBe('it is a folder')
  expect(writeErrorText({ code: 'ENOSPC' })).toBe('the disk is full')
  expect(writeErrorText({ code: 'EWHATEVER' })).toBe('the system refuses it (EWHATEVER)')
  expect(listenErrorText({ code: 'EADDRNOTAVAIL' })).toBe('this machine does not have that address')
})

test('[OPS-03] errors of the embedded database and of connections are explained, and no others', () => {
  expect(fileErrorText({ name: 'ErrnoError', errno: 51 })).toBe('the disk is full')
  expect(connectionErrorText({ code: 'ECONNREFUSED' })).toBe('nobody listens there')
  for (const other of [null, undefined, 7, new Error('x'), { code: 7 }, { errno: 9_999 }])
    expect([fileErrorText(other), connectionErrorText(other)]).toEqual([undefined, undefined])
})
