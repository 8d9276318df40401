import { Input, Label, NumberField as AriaNumberField, type NumberFieldProps } from 'react-aria-components';
import { type Around, Below, field, inputLook, label, marked } from './field-parts.tsx';

export function NumberField({
  label: text,
  help,
  error,
  className = '',
  ...props
}: Omit<NumberFieldProps, 'className'> & Around & { readonly className?: string }) {
  return (
    <AriaNumberField {...props} {...marked(error)} className={`${field} ${className}`}>
      <Label className={label}>{text}</Label>
      <Input className={inputLook} />
      <Below help={help} error={error} />
    </AriaNumberField>
  );
}
