import { createSupportLink } from '../areas/sign-in/support-link.service.ts'
import { OperatorError } from '../kit/api-error.ts'
import type { Command, Options } from './command.ts'

/** `counterfoil support-link --user U [--customer C] [--redirect R] [--as NAME]`: prints the link and its expiry. */
export const supportLinkCommand: Command = async (deps, io, _args, options) => {
  const customer = text(options, 'customer')
  if (customer !== undefined && !/^[1-9]\d{0,14}$/.test(customer))
    throw new OperatorError('The customer (--customer) is a number, as the portal knows it.')
  const supporter = text(options, 'as') ?? ''
  const link = await createSupportLink(deps, {
    username: text(options, 'user') ?? '',
    customerId: customer === undefined ? undefined : Number(customer),
    redirect: text(options, 'redirect'),
    supporter,
  })
  if (io.json) {
    io.out(JSON.stringify({ ...link, as: supporter, ...(customer === undefined ? {} : { customer: Number(customer) }) }))
    return 0
  }
  io.out(link.url)
  io.out(`Signs ${supporter} in as ${link.username}, once, until ${link.expiresAt.toISOString().slice(11, 19)} UTC.`)
  return 0
}

const text = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
