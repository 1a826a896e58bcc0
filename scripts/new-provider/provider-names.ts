/** A provider that is to be added. */
export interface NewProvider {
  /** As code and paths name it, such as nexio. */
  readonly name: string
  /** Its number in the API and in the settings of resellers. */
  readonly type: number
}

/** The name as a type's: nexio is Nexio. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
