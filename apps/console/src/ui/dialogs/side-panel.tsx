import { Window, type WindowProps } from './window.tsx';

const looks = { overlay: 'justify-end', modal: 'h-full max-w-lg border-s', dialog: 'h-full' };

/** The details of a row, beside the list. */
export function SidePanel({ children, ...props }: WindowProps) {
  return (
    <Window {...props} looks={looks}>
      <div className="flex min-h-0 grow flex-col gap-5 overflow-auto p-5 *:shrink-0">{children}</div>
    </Window>
  );
}
