import type { ServiceItem } from '@counterfoil/contract/service-items'

interface ServiceItemFilter {
  readonly search: string
  /** 0 for all. */
  readonly service: number
}

/** The items of a service whose name or description contains every word of the search, ignoring case. */
export const findServiceItems = (items: readonly ServiceItem[], { search, service }: ServiceItemFilter): readonly ServiceItem[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && service === 0) return items
  return items.filter((item) => {
    if (service !== 0 && item.serviceId !== service) return false
    const text = `${item.serviceItem}\n${item.description ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
