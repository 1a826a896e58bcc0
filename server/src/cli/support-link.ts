import { createSupportLink } from '../areas/sign-in/support-link.service.ts'
import { command, requiredOption, textOption } from './command.ts'
import { loginName } from './terminal.ts'

export const supportLinkCommand = command({
  name: 'support-link',
  about: 'a link with which somebody of support signs in as a user, once, within five minutes',
  options: {
    user: requiredOption(textOption('username', 'the user in whose name')),
    customer: textOption('id', 'the one customer to act for, by its external id or its id; without it all that the user may act for'),
    redirect: textOption('path', 'the page of the portal to open'),
    as: { ...textOption('name', 'who of support it is for'), default: loginName() },
  },
  run: async (deps, io, _, options) => {
    const { customerId, ...link } = await createSupportLink(deps, {
      username: options.user,
      customer: options.customer,
      redirect: options.redirect,
      supporter: options.as,
      operator: loginName(),
    })
    if (io.json) {
      io.out(JSON.stringify({ ...link, as: options.as, ...(customerId === undefined ? {} : { customer: customerId }) }))
      return 0
    }
    io.out(link.url)
    io.out(`Signs ${options.as} in as ${link.username}, once, until ${link.expiresAt.toISOString().slice(11, 19)} UTC.`)
    return 0
  },
})
