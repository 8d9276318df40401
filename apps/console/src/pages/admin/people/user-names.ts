import { fullName } from '../../../app/full-name.ts';

interface Named {
  readonly user_id: string;
  readonly email: string | null;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
}

/** First and last name, or the e-mail address. Null for an erased user. */
export function nameOf({ first_name, last_name, email }: Omit<Named, 'user_id'>): string | null {
  const name = fullName({ first_name: first_name ?? '', last_name: last_name ?? '' });
  return name === '' ? email : name;
}
