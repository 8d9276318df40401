import { Input, SearchField as AriaSearchField, type SearchFieldProps } from 'react-aria-components';
import { inputLook } from './field-parts.tsx';

export function SearchField({
  label: text,
  placeholder,
  className = '',
  ...props
}: Omit<SearchFieldProps, 'className'> & { readonly label: string; readonly placeholder?: string; readonly className?: string }) {
  return (
    <AriaSearchField {...props} aria-label={text} className={className}>
      <Input placeholder={placeholder ?? text} className={inputLook} />
    </AriaSearchField>
  );
}
