import { type RandomStream, fillDigits } from './random.ts'
import type { CustomerProfile, ResellerProfile } from './profile.ts'

/** A connection of a customer: a row of service_item with what its usage is derived from. */
export interface Connection {
  readonly id: number
  /** Index into the reseller's services. */
  readonly serviceNo: number
  readonly number: string
  readonly secondNumber: string | null
  readonly description: string
  readonly site: string
  readonly costCentre: string | null
  /** Index of the first period in which it was there. */
  readonly since: number
}

const NAMES = [
  'Amara Okafor',
  'Ben Lindqvist',
  'Chloe Tan',
  'Daniel Reyes',
  'Elena Novak',
  'Farid Aziz',
  'Grace Mbeki',
  'Hugo Laurent',
  'Isla Munro',
  'Jonas Weber',
  'Keiko Mori',
  'Liam Doyle',
  'Mei Chen',
  'Nina Petrov',
  'Omar Farouk',
  'Paula Costa',
  'Quinn Hayes',
  'Rosa Marin',
  'Samir Patel',
  'Tessa Visser',
  'Uma Rao',
  'Victor Hall',
  'Wanda Ortiz',
  'Yusuf Demir',
]

/** The id of a customer's connection, derived from the customer's: unique in the installation, and readable. */
const itemId = (customerId: number, count: number): number => customerId * 1000 + count

/** All connections of a customer, service by service. Updates `usedNumbers`, which counts the reseller's numbers by service. */
export const connectionsOf = (
  reseller: ResellerProfile,
  profile: CustomerProfile,
  customerId: number,
  random: RandomStream,
  usedNumbers: number[],
): Connection[] =>
  profile.lines
    .flatMap(({ count, names }, serviceNo) =>
      Array.from({ length: count }, (_, index) => ({
        serviceNo,
        index,
        called: names,
        nth: takeNextNumber(usedNumbers, serviceNo),
      })),
    )
    .map(({ serviceNo, index, called: names, nth: serial }, position) => {
      const { number, secondNumber } = serviceOf(reseller, serviceNo)
      return {
        id: itemId(customerId, position + 1),
        serviceNo,
        number: fillDigits(number, serial * 37 + 11),
        secondNumber:
          secondNumber === undefined ? null : fillDigits(secondNumber, reseller.id * 100_003 + (serviceNo * 1000 + serial) * 7919),
        description: connectionName(names[index % names.length] ?? '', Math.floor(index / names.length) + 1, position),
        site: random.pick(profile.sites),
        costCentre: random.fraction() < 0.08 ? null : random.pick(profile.costCentres),
        since: index === 0 || random.fraction() < 0.72 ? 0 : random.int(1, 11),
      }
    })

/** The next serial number of a service, from 0. Counts up `usedNumbers`. */
const takeNextNumber = (usedNumbers: number[], serviceNo: number): number => {
  const serial = usedNumbers[serviceNo] ?? 0
  usedNumbers[serviceNo] = serial + 1
  return serial
}

/** The name of a connection, with a serial number and a person's name put into its pattern. */
const connectionName = (pattern: string, serial: number, position: number): string =>
  fillDigits(pattern, serial).replace('{name}', NAMES[(position * 7) % NAMES.length] ?? '')

/** A service of the reseller by its index. @throws RangeError when there is none */
export const serviceOf = (reseller: ResellerProfile, serviceNo: number): ResellerProfile['services'][number] => {
  const service = reseller.services[serviceNo]
  if (service === undefined) throw new RangeError(`${reseller.name} has no service ${serviceNo}`)
  return service
}
