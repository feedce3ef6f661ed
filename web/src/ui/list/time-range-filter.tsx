import type { TimeRange } from '@quarterdeck/contract/time-range'
import type { Filter } from '../filter/filters.ts'
import { TimeRangePicker } from '../time-range/time-range-picker.tsx'
import type { ListPlace } from './use-list.ts'

/** The time range of a list, as a control of its bar; clearing it means `usual`. */
export function timeRangeFilter<R extends TimeRange | undefined>(list: ListPlace<{ range: R }>, usual: R): Filter {
  return {
    kind: 'element',
    label: 'Time range',
    element: (
      <TimeRangePicker value={list.values.range} onChange={(range) => list.change({ range: (range ?? usual) as R })} />
    ),
  }
}
