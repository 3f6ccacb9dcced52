"""A psycopg connection whose COMMIT is not cancelled by Ctrl-C."""

from __future__ import annotations

import signal
import threading

import psycopg


class PatientConnection(psycopg.Connection[tuple[object, ...]]):
    """Delay Ctrl-C until COMMIT has its reply. The driver would cancel it, which ends PostgreSQL's
    wait for its synchronous standby and shows rows that no standby has.
    """

    def commit(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            super().commit()  # only the main thread is interrupted
            return
        interrupts = list[int]()
        before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
        try:
            super().commit()
        finally:
            signal.signal(signal.SIGINT, before)
        if interrupts:
            raise KeyboardInterrupt
