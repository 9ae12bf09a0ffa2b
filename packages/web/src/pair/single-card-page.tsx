import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";
import { Logo } from "../ui/logo.tsx";

/** A page with a single card. */
export function SingleCardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center overflow-y-auto p-4">
      <div className="box flex w-full max-w-[440px] flex-col gap-4 p-6">
        <p className="flex items-center gap-2 font-strong">
          <Logo />
          {strings.frame.appName}
        </p>
        <h1 className="text-large font-strong tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  );
}
