import type { Detector } from '../detector.ts';
import { email } from './email.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { nationalId } from './national-id.ts';
import { paymentCard } from './payment-card.ts';
import { phone } from './phone.ts';
import { secret } from './secret.ts';
import { wordList } from './word-list.ts';

export const DETECTOR_NAMES = ['email', 'phone', 'iban', 'payment_card', 'national_id', 'ip_address', 'secret', 'words'] as const;
export type DetectorName = (typeof DETECTOR_NAMES)[number];

export interface DetectorOptions {
  /** Regions of national phone numbers, such as `DE`. */
  readonly phoneRegions?: readonly string[];
  /** The entries of `words`. */
  readonly words?: readonly string[];
}

export function detectorOf(name: DetectorName, { phoneRegions = [], words = [] }: DetectorOptions = {}): Detector {
  switch (name) {
    case 'email':
      return email;
    case 'phone':
      return phone(phoneRegions);
    case 'iban':
      return iban;
    case 'payment_card':
      return paymentCard;
    case 'national_id':
      return nationalId;
    case 'ip_address':
      return ipAddress;
    case 'secret':
      return secret;
    case 'words':
      return wordList(words);
  }
}
