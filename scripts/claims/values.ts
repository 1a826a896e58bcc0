const CONSTANT = /(?:\bconst (\w+)(?:: \w+)? =|^\s+(\w+):) ([\d[][^;\n]*?|[A-Z][A-Z_]+ \*[^;\n]*?)(?: as const)?,?(?: \/\/.*)?$/gm
const DEFAULT_OF_SETTING = /\b([A-Z_]+): Type\.String\(\{ default: '(\d+)'/g

/** A product such as `15 * MINUTE` or `1_024 ** 2`; not a number when it is anything else. */
const productOf = (text: string, ofName: (name: string) => number): number =>
  text.split(' * ').reduce((product, factor) => {
    const [base = '', exponent = '1'] = factor.split(' ** ')
    const value = /^[A-Z_]+$/.test(base) ? ofName(base) : Number(base.replaceAll('_', ''))
    return product * value ** Number(exponent)
  }, 1)

/** The numbers of the constants, properties and settings of one source; a list gives all of its numbers. */
export const valuesOf = (source: string): readonly (readonly [string, number])[] => {
  const values = new Map<string, number[]>()
  for (const [, name = '', number] of source.matchAll(DEFAULT_OF_SETTING)) values.set(name, [Number(number)])
  for (const [, constant, property, text = ''] of source.matchAll(CONSTANT)) {
    const name = constant ?? property ?? ''
    const numbers = text
      .replaceAll(/[[\]]/g, '')
      .split(',')
      .map((one) => productOf(one.trim(), (other) => values.get(other)?.[0] ?? Number.NaN))
    values.set(name, [...(values.get(name) ?? []), ...numbers.filter((number) => !Number.isNaN(number))])
  }
  return [...values].flatMap(([name, numbers]) => numbers.map((number) => [name, number] as const))
}
