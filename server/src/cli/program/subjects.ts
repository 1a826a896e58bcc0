import type { Command } from '../command.ts'

/** What the help says of the groups of commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  audit: 'the log of who did what',
  import: 'bring records in from files',
  reseller: 'who bills: make, list, show and change resellers',
  'reseller payments': 'how a reseller takes payments',
  brand: 'the faces of a reseller: domain, colours, pictures, what is shown',
  customer: 'who is billed: make, list, show and change customers',
  user: 'who signs in: make, list, change and disable users',
  usage: 'what is kept of usage',
  sso: 'single sign-on: the companies that sign their people in themselves',
  invoice: 'what customers are billed: list and show invoices',
  payments: 'payments that need an operator, and how they are resolved',
  autopay: 'charging customers who allow it',
}

/** The commands by the first word of their names, in the order of the help. A subject is loaded when it is asked for. */
export const SUBJECTS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  distribute: async () => [(await import('../distribute.ts')).distributeCommand],
  migrate: async () => [(await import('../migrate.ts')).migrateCommand],
  'seed-demo': async () => [(await import('../seed-demo.ts')).seedDemoCommand],
  audit: async () => [
    (await import('../audit/audit-list.ts')).auditListCommand,
    (await import('../audit/audit-verify.ts')).auditVerifyCommand,
  ],
  'support-link': async () => [(await import('../support-link.ts')).supportLinkCommand],
  import: async () => [
    (await import('../imports/import-focus.ts')).importFocusCommand,
    (await import('../imports/import-usage.ts')).importUsageCommand,
    ...(await import('../imports/import-records.ts')).IMPORT_RECORDS_COMMANDS,
    (await import('../imports/import-undo.ts')).importListCommand,
    (await import('../imports/import-undo.ts')).importUndoCommand,
  ],
  reseller: async () => {
    const { resellerAddCommand, resellerListCommand, resellerShowCommand, resellerSetCommand } = await import('../tenants/reseller.ts')
    const { resellerLabelsCommand, resellerReportsCommand } = await import('../tenants/reseller-labels.ts')
    const payments = await import('../payments/reseller-payments.ts')
    return [
      resellerAddCommand,
      resellerListCommand,
      resellerShowCommand,
      resellerLabelsCommand,
      resellerReportsCommand,
      resellerSetCommand,
      (await import('../removal/remove.ts')).resellerRemoveCommand,
      payments.resellerPaymentsSetCommand,
      payments.resellerPaymentsTestCommand,
      payments.resellerPaymentsRotateCommand,
      (await import('../payments/former-accounts.ts')).resellerPaymentsForgetCommand,
    ]
  },
  brand: async () => {
    const brand = await import('../tenants/brand.ts')
    const { brandImageCommand } = await import('../tenants/brand-image.ts')
    return [
      brand.brandAddCommand,
      brand.brandListCommand,
      brand.brandShowCommand,
      brand.brandSetCommand,
      brand.brandFlagsCommand,
      brandImageCommand,
      (await import('../removal/remove.ts')).brandRemoveCommand,
    ]
  },
  customer: async () => {
    const customer = await import('../tenants/customer.ts')
    const { customerRemoveCommand } = await import('../removal/remove.ts')
    return [
      customer.customerAddCommand,
      customer.customerListCommand,
      customer.customerShowCommand,
      customer.customerSetCommand,
      customerRemoveCommand,
    ]
  },
  user: async () => {
    const user = await import('../tenants/user.ts')
    const { userInviteCommand, userResetLinkCommand } = await import('../tenants/user-links.ts')
    return [
      user.userAddCommand,
      userInviteCommand,
      userResetLinkCommand,
      user.userListCommand,
      user.userShowCommand,
      user.userSetCommand,
      user.userDisableCommand,
      user.userEnableCommand,
      (await import('../removal/remove.ts')).userRemoveCommand,
    ]
  },
  init: async () => [(await import('../init.ts')).initCommand],
  doctor: async () => [
    (await import('../doctor/doctor.ts')).doctorCommand,
    (await import('../doctor/doctor-database.ts')).doctorDatabaseCommand,
  ],
  backup: async () => [(await import('../backup/backup.ts')).backupCommand],
  restore: async () => [(await import('../backup/restore.ts')).restoreCommand],
  usage: async () => [(await import('../imports/usage-archive.ts')).usageArchiveCommand],
  sso: async () => {
    const sso = await import('../sso/sso.ts')
    return [sso.ssoSetCommand, sso.ssoShowCommand, sso.ssoListCommand, sso.ssoRemoveCommand, sso.ssoUnlinkCommand]
  },
  invoice: async () => {
    const { invoiceListCommand, invoiceShowCommand } = await import('../invoices/invoice.ts')
    return [invoiceListCommand, invoiceShowCommand]
  },
  payments: async () => {
    const queue = await import('../payments/review-queue.ts')
    const { paymentsReconcileCommand, paymentsDismissCommand } = await import('../payments/reconcile.ts')
    return [
      (await import('../payments/payments-list.ts')).paymentsListCommand,
      queue.paymentsQueueCommand,
      queue.paymentsShowCommand,
      queue.paymentsLookUpCommand,
      queue.paymentsSettleCommand,
      (await import('../payments/cancel.ts')).paymentsCancelCommand,
      (await import('../payments/refund.ts')).paymentsRefundCommand,
      paymentsReconcileCommand,
      paymentsDismissCommand,
    ]
  },
  autopay: async () => [(await import('../payments/autopay-run.ts')).autopayRunCommand],
  events: async () => [(await import('../payments/events.ts')).eventsCommand],
}

/** Whether a word is the first of some command's name. */
export const isSubject = (word: string): boolean => Object.hasOwn(SUBJECTS, word)

/** The commands that begin with this word; none when it is no subject. */
export const loadCommands = async (subject: string): Promise<readonly Command[]> =>
  isSubject(subject) ? ((await SUBJECTS[subject]?.()) ?? []) : []
