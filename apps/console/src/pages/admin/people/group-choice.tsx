import type { ReactNode } from 'react';
import { Checkbox } from '../../../ui/fields/index.ts';

interface Props {
  readonly label: ReactNode;
  /** Names of the groups that are offered. */
  readonly groups: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Checkboxes to choose some of the groups. */
export function GroupChoice({ label, groups, chosen, onChange }: Props) {
  return (
    <fieldset className="flex flex-col">
      <legend className="pb-1 text-xs font-medium">{label}</legend>
      <div className="grid max-h-48 grid-cols-2 gap-x-4 overflow-y-auto max-sm:grid-cols-1">
        {groups.map((group) => (
          <Checkbox
            key={group}
            isSelected={chosen.includes(group)}
            onChange={(isIn) => onChange(isIn ? [...chosen, group] : chosen.filter((each) => each !== group))}
          >
            {group}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
