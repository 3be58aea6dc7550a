import type { PrismaClient } from '../db/generated/client/client.ts';
import type { KeySummary } from './key.ts';

/** One side of a rotation. */
export interface RotationPartner {
  readonly id: string;
  readonly prefix: string;
}

/** The rotations that a key was part of. */
export interface Rotations {
  readonly replaces: RotationPartner | null;
  readonly replacedBy: RotationPartner | null;
}

/** Reads which key this one replaced, and which one replaced it. */
export async function readRotations(
  prisma: Pick<PrismaClient, 'apiKey'>,
  { id, rotatedFrom }: Pick<KeySummary, 'id' | 'rotatedFrom'>,
): Promise<Rotations> {
  const select = { id: true, prefix: true } as const;
  const replacedBy = await prisma.apiKey.findUnique({ where: { rotatedFrom: id }, select });
  const replaces =
    rotatedFrom === null ? null : await prisma.apiKey.findUnique({ where: { id: rotatedFrom }, select });
  return { replaces, replacedBy };
}
