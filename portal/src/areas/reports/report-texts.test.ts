import type { Report } from '@counterfoil/contract/reports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { choiceText, formatLabel, isRunning, needsText, requesterText, runState } from './report-texts.ts'

beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-AU'] }))
afterEach(() => void vi.unstubAllGlobals())

const needs = (...required: Report['parameters'][number]['name'][]): string =>
  needsText({ parameters: [{ name: 'ServiceId', required: false }, ...required.map((name) => ({ name, required: true }))] })

test('[EASE-09] a report says what must be chosen', () => {
  expect(needs()).toBe('Nothing needed')
  expect(needs('InvoiceId')).toBe('Needs an invoice')
  expect(needs('DateRange', 'ServiceId')).toBe('Needs dates and a service')
})

test('[EASE-09] every export type but csv and pdf is Excel', () => {
  expect([1, 2, 3, 99].map((exportTypeId) => formatLabel({ exportTypeId }))).toEqual(['CSV', 'PDF', 'Excel', 'Excel'])
})

test('[EASE-09] a file says what it was made of and by whom', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' }
  expect(choiceText({ ...october, timeframe: 'Last Month', service: '4G Data', invoice: null })).toMatch(
    /^Last Month, 1.+31 Oct 2026 · 4G Data$/,
  )
  expect(choiceText({ ...october, timeframe: null, service: null, invoice: null })).toMatch(/^1.+31 Oct 2026$/)
  expect(choiceText({ from: null, to: null, timeframe: null, service: null, invoice: 'INV-7' })).toBe('INV-7')
  expect(requesterText({ requestedBy: 'Mara Holt', bySupport: false })).toBe('Mara Holt')
  expect(requesterText({ requestedBy: null, bySupport: true })).toBe('Support')
  expect(requesterText({ requestedBy: null, bySupport: false })).toBe('A former user')
})

test.each([
  [10, false, null, 'Waiting', null],
  [20, false, null, 'Being made', null],
  [30, false, null, 'Ready', 'until 21 Nov 2026, 12:00 UTC'],
  [30, true, null, 'Expired', 'since 21 Nov 2026, 12:00 UTC'],
  [40, false, 'It is too large.', 'Failed', 'It is too large.'],
])('[EASE-09] status %i, expired: %s, is %s %s', (status, expired, reason, label, note) => {
  const expiresAt = status === 30 ? '2026-11-21T12:00:00.000Z' : null
  expect(runState({ status, expired, reason, expiresAt })).toMatchObject({ label, note })
  expect(isRunning({ status })).toBe(status < 30)
})
