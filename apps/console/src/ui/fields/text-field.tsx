import { Input, Label, TextArea, TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components';
import { type Around, Below, field, inputLook, label, marked } from './field-parts.tsx';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'>, Around {
  readonly placeholder?: string;
  /** The number of lines. With more than one, the field is a multi-line field. */
  readonly rows?: number;
  readonly className?: string;
}

export function TextField({ label: text, help, error, placeholder, rows = 1, className = '', ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} {...marked(error)} className={`${field} ${className}`}>
      <Label className={label}>{text}</Label>
      {rows > 1 ? (
        <TextArea rows={rows} placeholder={placeholder} className={`${inputLook} resize-y`} />
      ) : (
        <Input placeholder={placeholder} className={inputLook} />
      )}
      <Below help={help} error={error} />
    </AriaTextField>
  );
}
