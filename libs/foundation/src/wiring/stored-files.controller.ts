import { Controller, Get, Query } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Internal } from '@parlance/http';
import { ObjectStore } from '@parlance/object-store';
import { IsOptional, Length } from 'class-validator';

class LocationQuery {
  @Length(1, 700) key!: string;
  @IsOptional() @Length(1, 1_000) file_name?: string;
}

/** Signed addresses of stored files, for the edge: it checks a client's address and redirects the client to the store, without having the store's credentials. */
@Controller('internal/stored-files')
@Internal()
export class StoredFilesController {
  constructor(private readonly store: ObjectStore) {}

  @Get('location')
  async location(@Query() { key, file_name }: LocationQuery): Promise<{ url: string }> {
    const url = await this.store.directDownload(key, file_name);
    if (url === null) throw refuse('missing', 'file_unknown', 'Clients have no direct access to the object store of this installation.');
    return { url };
  }
}
