import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps, Switch as AriaSwitch, type SwitchProps } from 'react-aria-components';

export function Checkbox({ children, ...props }: Omit<CheckboxProps, 'className' | 'children'> & { readonly children: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="group flex min-h-8 cursor-pointer items-center gap-2 text-sm data-[disabled]:opacity-50">
      <span className="flex size-5 shrink-0 items-center justify-center rounded-[5px] border border-control bg-raised text-on-accent group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent">
        <Check aria-hidden className="hidden size-4 group-data-[selected]:block" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

export function Switch({ children, ...props }: Omit<SwitchProps, 'className' | 'children'> & { readonly children: ReactNode }) {
  return (
    <AriaSwitch {...props} className="group flex min-h-8 cursor-pointer items-center gap-2.5 text-sm data-[disabled]:opacity-50">
      <span className="flex h-5 w-9 shrink-0 items-center rounded-full border border-control bg-surface p-0.5 transition-colors duration-150 group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent">
        <span className="size-3.5 rounded-full bg-control transition-transform duration-150 group-data-[selected]:translate-x-4 group-data-[selected]:bg-on-accent" />
      </span>
      <span>{children}</span>
    </AriaSwitch>
  );
}
