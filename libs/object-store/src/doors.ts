export { type FileDoor, type FileDoorAnswer, type FileDoorRequest } from './door.ts';
export { openRedirectingDoor, type RedirectingDoorOptions } from './redirecting-door.ts';
