import { createSupportLink } from '../areas/sign-in/support-link.service.ts'
import { OperatorError } from '../kit/api-error.ts'
import { command, requiredOption, textOption } from './command.ts'
import { loginName } from './terminal.ts'

export const supportLinkCommand = command({
  name: 'support-link',
  about: 'a link with which somebody of support signs in as a user, once, within five minutes',
  options: {
    user: requiredOption(textOption('username', 'the user in whose name')),
    customer: textOption('id', 'the one customer to act for; without it all that the user may act for'),
    redirect: textOption('path', 'the page of the portal to open'),
    as: { ...textOption('name', 'who of support it is for'), default: loginName() },
  },
  run: async (deps, io, _, options) => {
    const customer = options.customer
    if (customer !== undefined && !/^[1-9]\d{0,14}$/.test(customer))
      throw new OperatorError('The customer (--customer) is a number, as the portal knows it.')
    const link = await createSupportLink(deps, {
      username: options.user,
      customerId: customer === undefined ? undefined : Number(customer),
      redirect: options.redirect,
      supporter: options.as,
    })
    if (io.json) {
      io.out(JSON.stringify({ ...link, as: options.as, ...(customer === undefined ? {} : { customer: Number(customer) }) }))
      return 0
    }
    io.out(link.url)
    io.out(`Signs ${options.as} in as ${link.username}, once, until ${link.expiresAt.toISOString().slice(11, 19)} UTC.`)
    return 0
  },
})
