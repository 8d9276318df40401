// Each field is a separate module, so that a page loads only those that it uses.
export { inputLook, itemLook, marked } from './field-parts.tsx';
export { SearchField } from './search-field.tsx';
export { sendsMessage } from './sends-message.ts';
export { NumberField } from './number-field.tsx';
export { type Option, Select } from './select.tsx';
export { Checkbox, Switch } from './toggles.tsx';
export { TextField } from './text-field.tsx';
