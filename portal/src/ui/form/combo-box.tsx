import { use, useLayoutEffect, useMemo, useState } from 'react'
import { ComboBox as AriaComboBox, ComboBoxStateContext, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import styles from './combo-box.module.css'
import field from './field.module.css'
import { Icon } from '../icon.tsx'
import { labelContains } from './option-search.ts'
import { optionWindow } from './option-window.ts'
import type { Option, SelectProps } from './select.tsx'
import hidden from '../visually-hidden.module.css'

/** React Aria leaves elements with this attribute visible. */
const TOP_LAYER = 'data-react-aria-top-layer'

/** A select for a long list, searched by typing any part of a label. */
export const ComboBox = ({ label, options, value, onChange, hideLabel = false, isDisabled = false }: SelectProps) => {
  /** What the user has typed since the list opened; null before. */
  const [search, setSearch] = useState<string | null>(null)
  const [root, setRoot] = useState<HTMLDivElement | null>(null)
  const selectedIndex = options.findIndex(({ id }) => id === value)
  const isSearching = search !== null && search !== ''
  const matching = useMemo(() => (isSearching ? options.filter(labelContains(search)) : options), [isSearching, options, search])
  const shown = optionWindow(matching, isSearching ? -1 : selectedIndex)

  const select = (id: string): void => {
    setSearch(null)
    if (id !== value) onChange(id)
  }

  return (
    <AriaComboBox
      ref={setRoot}
      className={field.field!}
      isDisabled={isDisabled}
      items={shown}
      value={value}
      onChange={(key) => key !== null && select(String(key))}
      inputValue={search ?? options[selectedIndex]?.label ?? ''}
      onInputChange={setSearch}
      onOpenChange={(isOpen) => !isOpen && setSearch(null)}
      // A change of the input's text must not open the list by itself: choosing an option changes it too.
      menuTrigger="manual"
      allowsEmptyCollection
    >
      <Label className={hideLabel ? hidden.hidden! : field.label!}>{label}</Label>
      <SearchInput isSearching={isSearching} />
      <Popover className={`${field.popover} ${styles.popover}`} placement="bottom end" {...portalProps(root)}>
        <ListBox className={styles.list!}>{OptionItem}</ListBox>
        <output className={field.more} hidden={shown.length > 0 && shown.length === matching.length}>
          {shown.length === 0 ? 'No results' : `${matching.length - shown.length} more. Type to search.`}
        </output>
      </Popover>
    </AriaComboBox>
  )
}

/** An option of the list, with a tick when it is selected. */
const OptionItem = ({ id, label }: Option) => (
  <ListBoxItem id={id} textValue={label} className={field.option!}>
    {({ isSelected }) => (
      <>
        {label}
        {isSelected && <Icon name="check" />}
      </>
    )}
  </ListBoxItem>
)

/** The property that renders the list inside the landmark of its field: at the end of the body it would be in none. */
const portalProps = (root: HTMLElement | null) => {
  const landmark = root?.closest('main, header')
  return landmark ? { UNSTABLE_portalContainer: landmark } : {}
}

/**
 * Keeps React Aria from hiding the rest of the page from screen readers while the list is open: that suits a modal overlay, but here
 * links and fields outside the list can still be focused.
 */
const useVisiblePage = (isOpen: boolean): void =>
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const elements = [...document.body.children].filter((element) => element.contains(document.activeElement))
    for (const element of elements) element.setAttribute(TOP_LAYER, '')
    return () => {
      for (const element of elements) element.removeAttribute(TOP_LAYER)
    }
  }, [isOpen])

/**
 * Keeps the page where it is while the list is open. The list lies above the page's header and bars, from under which the browser would
 * scroll the focused option out; a page that scrolls closes the list.
 */
const useStillPage = (isOpen: boolean): void =>
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const { style } = document.documentElement
    style.scrollPaddingBlock = '0'
    return () => {
      style.scrollPaddingBlock = ''
    }
  }, [isOpen])

/** The field that shows the selected option and is typed into to search. */
const SearchInput = ({ isSearching }: { isSearching: boolean }) => {
  const state = use(ComboBoxStateContext)
  useVisiblePage(state?.isOpen === true)
  useStillPage(state?.isOpen === true)

  // Enter chooses the first match, so it is the focused option as soon as the user has typed.
  const focusFirstMatch = (): void => {
    if (!state?.isOpen || !isSearching) return
    const { selectionManager, collection } = state
    const isShown = selectionManager.focusedKey !== null && collection.getItem(selectionManager.focusedKey) !== null
    if (!isShown && selectionManager.focusedKey !== collection.getFirstKey()) selectionManager.setFocusedKey(collection.getFirstKey())
  }
  useLayoutEffect(focusFirstMatch)

  return (
    <div className={styles.box}>
      <Input
        className={`${field.input} ${styles.input}`}
        autoComplete="off"
        spellCheck="false"
        onClick={({ currentTarget }) => {
          if (state?.isOpen !== false) return
          // Typing replaces the selected option's label.
          currentTarget.select()
          state.open('first', 'manual')
        }}
        onInput={() => state?.isOpen === false && state.open(null, 'manual')}
        // React Aria focuses no option after a change of the text until the next render; Enter can come before it.
        onKeyDownCapture={({ key }) => key === 'Enter' && focusFirstMatch()}
      />
      <span className={styles.icon}>
        <Icon name="search" />
      </span>
    </div>
  )
}
