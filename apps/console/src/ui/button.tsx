import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps, Link as AriaLink, type LinkProps } from 'react-aria-components';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:brightness-95',
  secondary: 'border border-control bg-raised text-text hover:bg-surface',
  quiet: 'text-text hover:bg-surface',
  danger: 'border border-bad text-bad bg-raised hover:bg-surface',
};

export const buttonLook = (look: Look = 'secondary', size: 'normal' | 'small' = 'normal'): string =>
  `inline-flex items-center justify-center gap-2 rounded-sm text-center font-medium sm:whitespace-nowrap transition-colors duration-150 cursor-pointer select-none
   disabled:opacity-50 disabled:cursor-default ${
     size === 'small' ? 'min-h-8 px-2.5 text-xs max-sm:min-h-11' : 'min-h-9 px-3.5 text-sm max-sm:min-h-11'
   } ${LOOKS[look]}`;

export interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  readonly look?: Look;
  readonly size?: 'normal' | 'small';
  readonly className?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/**
 * A pending button does nothing, and keeps the focus. React Aria's own pending state would announce it by the ID of a progress bar, and
 * later by the ID of the button, which may have disappeared.
 */
export function Button({ look, size, className = '', isPending = false, ...props }: ButtonProps) {
  const pending: AriaButtonProps = isPending ? { onPress: undefined, type: 'button', 'aria-disabled': true } : {};
  return <AriaButton {...props} {...pending} className={`${buttonLook(look, size)} ${isPending ? 'opacity-60' : ''} ${className}`} />;
}

/** An icon-only button. Its label is read out and shown as the browser's tooltip. */
export function IconButton({ label, className = '', ...props }: Omit<ButtonProps, 'look' | 'aria-label'> & { readonly label: string }) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      className={`inline-flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-sm text-muted transition-colors duration-150 hover:bg-surface hover:text-text disabled:cursor-default disabled:opacity-50 max-sm:size-11 ${className}`}
    />
  );
}

/** A link that looks like a button. `href` is a path below /app. */
export function LinkButton({
  look,
  size,
  className = '',
  ...props
}: Omit<LinkProps, 'className'> & Pick<ButtonProps, 'look' | 'size' | 'className'>) {
  return <AriaLink {...props} className={`${buttonLook(look, size)} ${className}`} />;
}
