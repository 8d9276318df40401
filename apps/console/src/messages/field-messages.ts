import { fields } from './en/fields.ts';
import { groupOf } from './index.ts';

/** The texts about refused fields, loaded with the first form. */
export const fieldMessages = groupOf('fields', fields);
