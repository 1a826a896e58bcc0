import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toCsv } from '@counterfoil/contract/kit/csv'
import { expect, onTestFinished, test } from 'vitest'

/** LibreOffice, when it is installed. */
const OFFICE = 'soffice'
const hasLibreOffice = spawnSync(OFFICE, ['--version']).error === undefined
if (!hasLibreOffice) console.warn('LEFT OUT: a CSV file as LibreOffice reads it. This machine has no soffice.')

test.runIf(hasLibreOffice)(
  '[USG-07] LibreOffice reads a download: the umlaut is right, the mark stands in no cell, and no formula runs',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-csv-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const columns = [
      { label: 'Site', cell: ({ site }: { site: string }) => site },
      { label: 'Price', cell: ({ price }: { price: string }) => price, isFigure: true },
    ]
    const rows = [
      { site: 'Köln', price: '-1.50' },
      { site: '=1+1', price: '2.0000' },
    ]
    writeFileSync(join(folder, 'usage.csv'), toCsv(columns, rows))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    // 76 is UTF-8, which the dialog proposes for a file with the mark; without a dialog it has to be said.
    const args = [profile, '--headless', '--infilter=CSV:44,34,76', '--convert-to', 'fods', 'usage.csv']
    execFileSync(OFFICE, args, { cwd: folder, stdio: 'ignore' })
    const sheet = readFileSync(join(folder, 'usage.fods'), 'utf8')
    for (const cell of ['Site', 'Price', 'Köln', '&apos;=1+1']) expect(sheet).toContain(`<text:p>${cell}</text:p>`)
    expect(sheet).not.toContain('table:formula')
  },
)
