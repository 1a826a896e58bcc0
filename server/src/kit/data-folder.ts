import { OperatorError } from './api-error.ts'
import { fileErrorText } from './system-errors.ts'

/** Runs `work`. @throws OperatorError that says why the data folder cannot be used, instead of the system's error */
export const explainFolderErrors = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const explanation = fileErrorText(error)
    if (explanation === undefined) throw error
    throw new OperatorError(`The data folder ${folder} cannot be used: ${explanation}. Mend that, or choose another with DATA_DIR.`, {
      cause: error,
    })
  }
}
