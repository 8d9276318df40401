import { ChangesFields } from '@parlance/http';
import { IsBoolean, Length, Matches } from 'class-validator';
import { MAX_MEMORY_TEXT } from '../../domain/memory/memory-limits.ts';

export class MemoryEntryBody {
  @Length(1, MAX_MEMORY_TEXT) @Matches(/\S/u, { message: 'must not be only spaces' }) text!: string;
}

@ChangesFields()
export class MemoryEntryChangeBody extends MemoryEntryBody {}

export class MemorySettingsBody {
  @IsBoolean() enabled!: boolean;
}
