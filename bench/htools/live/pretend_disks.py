"""Volumes and mirrored disks that exist by name and size only, and nodes that start anew when a file says so.

Machines for tests have neither LVM nor DRBD. In the node daemon, and in the command that starts a cluster, the two kinds of disks that
need them are replaced by classes that keep a small file for each disk below the node's own root. Everything above them is Ganeti's:
jobs, locks, remote calls, the steps of a migration and of a change of secondaries. Copies take no time, and fail only where a file says
that a node has no room.

Python loads this by itself under the name sitecustomize, from PYTHONPATH.
"""
import os
import sys

LIBRARY = "/usr/share/ganeti/default"
PLACES = os.path.join(os.environ.get("GANETI_ROOTDIR", "/"), "pretended")
FULL = os.path.join(PLACES, "full")
HELPER = "/bin/true"


def replace_boot_id():
    """A reboot of one node is seen by an id that all nodes of this machine would share."""
    from ganeti import backend

    backend._BOOT_ID_PATH = os.path.join(os.environ["GANETI_ROOTDIR"], "boot-id")


def replace_disks():
    from ganeti import constants, objects
    from ganeti.storage import base, bdev, drbd

    class PretendedDisk(base.BlockDev):
        """A disk is there while its file is; the file holds its size in MiB."""

        def __init__(self, unique_id, children, size, params, dyn_params, **kwargs):
            super().__init__(unique_id, children, size, params, dyn_params, **kwargs)
            self.dev_path = os.path.join(PLACES, self.place(unique_id, dyn_params))
            self.major, self.minor = 0, 0
            self.Attach()

        def Attach(self, **kwargs):
            self.attached = os.path.exists(self.dev_path)
            return self.attached

        def write(self):
            os.makedirs(os.path.dirname(self.dev_path), exist_ok=True)
            with open(self.dev_path, "w", encoding="ascii") as file:
                file.write("%d\n" % self.size)
            return self.Attach()

        def Remove(self):
            if os.path.exists(self.dev_path):
                os.unlink(self.dev_path)
            self.Attach()

        def GetSyncStatus(self):
            return objects.BlockDevStatus(
                dev_path=self.dev_path,
                major=self.major,
                minor=self.minor,
                sync_percent=None,
                estimated_time=None,
                is_degraded=False,
                ldisk_status=constants.LDS_OKAY,
            )

        def GetActualSize(self):
            return self.size * 2**20

        def SetInfo(self, text):
            pass

        def SetSyncParams(self, params):
            return []

        def PauseResumeSync(self, pause):
            return True

        def Open(self, force=False, exclusive=True):
            return True

        def Close(self):
            return True

    class Volume(PretendedDisk):
        @staticmethod
        def place(unique_id, dyn_params):
            return "volumes/%s/%s" % tuple(unique_id)

        @classmethod
        def Create(cls, unique_id, children, size, spindles, params, excl_stor, dyn_params, **kwargs):
            if os.path.exists(FULL):
                base.ThrowError("there is no room for a volume")
            volume = cls(unique_id, children, size, params, dyn_params, **kwargs)
            volume.write()
            return volume

        def Assemble(self):
            if not self.attached:
                base.ThrowError("there is no volume %s", self.dev_path)

        def Shutdown(self):
            return True

        def Rename(self, new_id):
            os.rename(self.dev_path, os.path.join(PLACES, self.place(new_id, None)))

    class Mirror(PretendedDisk):
        """One half of a mirrored disk. It is there from the time it is put together to the time it is shut down."""

        # What the daemon waits for before it goes on: both halves see each other, and nothing is to be
        # copied.
        is_standalone = is_diskless = is_in_resync = False
        is_connected = is_disk_uptodate = peer_disk_uptodate = True
        sync_percent = None

        @staticmethod
        def place(unique_id, dyn_params):
            return "mirrors/%s" % dyn_params[constants.DDP_LOCAL_MINOR]

        @classmethod
        def Create(cls, unique_id, children, size, spindles, params, excl_stor, dyn_params, **kwargs):
            return cls(unique_id, children, size, params, dyn_params, **kwargs)

        def Assemble(self):
            return self.write()

        Shutdown = PretendedDisk.Remove

        def GetProcStatus(self):
            return self

        def DisconnectNet(self):
            pass

        def AttachNet(self, multimaster):
            pass

    bdev.DEV_MAP[constants.DT_PLAIN] = Volume
    bdev.DEV_MAP[constants.DT_DRBD8] = Mirror
    drbd.DRBD8.GetUsermodeHelper = staticmethod(lambda: HELPER)
    drbd.DRBD8.GetUsedDevs = staticmethod(lambda: [])


def is_started(*names):
    return any(os.path.basename(word) in names for word in sys.orig_argv)


if is_started("ganeti-noded", "gnt-cluster"):
    sys.path.append(LIBRARY)
    replace_disks()
if is_started("ganeti-noded"):
    replace_boot_id()
