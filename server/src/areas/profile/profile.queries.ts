import type { Profile, ProfileChoices } from '@counterfoil/contract/user/profile'
import type { Db } from '../../db/database.ts'

/** Reads the profile of a user as it is stored. @throws NoResultError without such a user */
export const readProfileRow = (db: Db, userId: string): Promise<Profile> =>
  db
    .selectFrom('app_user')
    .select(['display_name as displayName', 'username', 'email', 'number_locale as numberLocale', 'receipt_email as receiptEmail'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

/** Stores the user's number format and receipt address; the audit log is the caller's. */
export const updateChoices = async (db: Db, userId: string, { numberLocale, receiptEmail }: ProfileChoices): Promise<void> => {
  await db.updateTable('app_user').set({ number_locale: numberLocale, receipt_email: receiptEmail }).where('id', '=', userId).execute()
}
