import { Check, ChevronDown } from 'lucide-react';
import { Button as AriaButton, Label, ListBox, ListBoxItem, Popover, Select as AriaSelect, SelectValue } from 'react-aria-components';
import { type Around, Below, field, inputLook, itemLook, label, marked } from './field-parts.tsx';

export interface Option<Id extends string = string> {
  readonly id: Id;
  readonly name: string;
}

interface SelectProps<Id extends string> extends Around {
  /** Null if nothing is chosen. */
  readonly value: Id | null;
  readonly onChange: (id: Id) => void;
  readonly options: readonly Option<Id>[];
  readonly isDisabled?: boolean;
  readonly isLabelHidden?: boolean;
  readonly className?: string;
}

export function Select<Id extends string>({
  label: text,
  help,
  error,
  value,
  onChange,
  options,
  isLabelHidden,
  className = '',
  ...props
}: SelectProps<Id>) {
  return (
    <AriaSelect
      {...props}
      // With a visible label, a screen reader would read the name twice.
      {...(isLabelHidden && { 'aria-label': text })}
      selectedKey={value}
      onSelectionChange={(key) => onChange(key as Id)}
      {...marked(error)}
      className={`${field} ${className}`}
    >
      {!isLabelHidden && <Label className={label}>{text}</Label>}
      <AriaButton className={`${inputLook} flex cursor-pointer items-center justify-between gap-2 text-start`}>
        <SelectValue className="min-w-0" />
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      </AriaButton>
      <Below help={help} error={error} />
      <Popover className="max-h-80 min-w-(--trigger-width) overflow-auto rounded-md border border-line bg-raised p-1 shadow-raised">
        <ListBox className="outline-none">
          {options.map(({ id, name }) => (
            <ListBoxItem key={id} id={id} textValue={name} className={itemLook}>
              {({ isSelected }) => (
                <>
                  <span className="grow">{name}</span>
                  {isSelected && <Check aria-hidden className="size-4 shrink-0" />}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
