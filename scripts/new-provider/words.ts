/** The name as a type's: nexio is Nexio. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
