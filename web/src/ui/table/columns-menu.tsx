import { Columns3 } from 'lucide-react'
import { IconButton } from '../icon-button.tsx'
import { Menu, MenuCheckboxItem, MenuItem, MenuSeparator } from '../menu.tsx'
import type { Column } from './column.ts'
import { useColumnSizes, useColumnVisibility, visibilityOf } from './preferences.ts'

/** Shows and hides the columns of the table with the same id, and forgets dragged widths. */
export function ColumnsMenu<T>({ tableId, columns }: { tableId: string; columns: readonly Column<T>[] }) {
  const [chosen, setChosen] = useColumnVisibility(tableId)
  const [, setSizes] = useColumnSizes(tableId)
  const visible = visibilityOf(columns, chosen)
  return (
    <Menu trigger={<IconButton icon={Columns3} label="Columns" tooltip={false} />}>
      {columns
        .filter((column) => !column.required && column.header)
        .map((column) => (
          <MenuCheckboxItem
            key={column.id}
            checked={visible[column.id] ?? true}
            onCheckedChange={(checked) => setChosen({ ...chosen, [column.id]: checked })}
          >
            {column.header}
          </MenuCheckboxItem>
        ))}
      <MenuSeparator />
      <MenuItem
        onSelect={() => {
          setChosen(undefined)
          setSizes(undefined)
        }}
      >
        Reset columns
      </MenuItem>
    </Menu>
  )
}
