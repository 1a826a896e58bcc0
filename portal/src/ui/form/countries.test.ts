import { expect, test } from 'vitest'
import { countriesIn } from './countries.ts'

test('[PM-10] there are 249 countries, each with its own name, in the locale’s order', () => {
  const countries = countriesIn('en')
  expect(countries).toHaveLength(249)
  expect(new Set(countries.map(({ code }) => code)).size).toBe(249)
  expect(countries.filter(({ code, name }) => code === name)).toEqual([])
  expect(countries.slice(0, 2).map(({ name }) => name)).toEqual(['Afghanistan', 'Åland Islands'])
  expect(countriesIn('de').find(({ code }) => code === 'DE')?.name).toBe('Deutschland')
})
