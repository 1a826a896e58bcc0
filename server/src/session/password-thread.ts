/** Runs in a worker thread of session/passwords.ts. */
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

export interface HashTask {
  readonly password: string
  readonly options: Options
}

export interface VerifyTask extends HashTask {
  readonly encoded: string
}

/** An encoded Argon2id hash, with its salt and parameters. */
export const hashPassword = ({ password, options }: HashTask): string => hashSync(password, options)

/** Whether the password has this encoded Argon2id hash. */
export const verifyPassword = ({ encoded, password, options }: VerifyTask): boolean => verifySync(encoded, password, options)
